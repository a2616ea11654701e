"""Rules of time and money: what the studies of availability, cost and deployment can say of a site as a whole."""

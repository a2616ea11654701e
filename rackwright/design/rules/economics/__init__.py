"""Rules of time and money, judged from the studies of availability, cost and deployment for the whole site."""

"""InfiniBand fabrics in the formats of their own tools: ibsim, ibnetdiscover, opensm."""

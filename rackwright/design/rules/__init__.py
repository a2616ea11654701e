"""Design rules."""


def run(design):
    return []

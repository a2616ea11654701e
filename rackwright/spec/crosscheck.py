def run(site, catalog, folder):
    return []

"""Systems of machines: the catalogue of installable images, and the files that installers read, one set per machine.

Pure; `rackwright export --to install` writes them, and `rackwright boot-server` hands them out.
"""

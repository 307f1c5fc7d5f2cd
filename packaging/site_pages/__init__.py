"""The site: pages of docs/, a gallery and the Python reference, built by Sphinx into output/site.

`python packaging/site_pages` is `make site`. `staging.py` makes the pages from the repository,
`gallery.py` those of films, `conf.py` has the settings of Sphinx, `links.py` checks what was built.
"""

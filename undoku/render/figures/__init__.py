"""Charts, contact sheets and figures of studies."""

"""Services that know whether a thing exists: DOIs, papers at arXiv, repositories, videos."""

"""What the server answers about a list: one module a feature.

A feature is a pure function. One that needs the text alone takes its `Document` and its `Positions`; one that needs
the project also takes the `ProjectAnalysis`, and the offset of the place asked about. `server.navigation` answers the
client's requests with them.
"""

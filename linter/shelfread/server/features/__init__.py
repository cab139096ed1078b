"""What the server answers about a list: one module a feature.

A feature is a pure function of documents and of what is known of the project, at an offset of a document. Its results
are spans, places and edits, or types of the protocol where positions are needed. `server.navigation` answers the
client's requests with them.
"""

"""Models of the requests that we accept, by protocol version: validation at the edge."""

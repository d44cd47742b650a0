"""Conformance: scenarios that any ACP agent can be taken through, and a comparison of what two agents said in them."""

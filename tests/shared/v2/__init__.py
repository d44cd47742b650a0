"""What both cores of draft ACP v2 share."""

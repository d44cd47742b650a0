"""Tool calls: a family reads Claude's data once and gives facts; facts become a report; a tracker keeps what is new."""

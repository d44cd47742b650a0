"""What tests are written with: a client, a double of Claude Code, scenarios, and checks of the wire."""

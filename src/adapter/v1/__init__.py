"""ACP v1: prompts are held until their turn ends."""

"""Extensions of v1 for JetBrains AIR, one module each. The core does not know them."""

"""Session configuration: permission mode, model, effort, fast mode, ultracode."""

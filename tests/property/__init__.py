"""Properties that hold for any order of inputs."""

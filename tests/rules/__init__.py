"""The rules of the architecture as tests over the source; ``docs/architecture.md`` lists what they hold."""

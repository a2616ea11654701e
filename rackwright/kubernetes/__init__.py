"""The Kubernetes API server: the client, and the plugin that applies objects if the official plugin is not installed."""

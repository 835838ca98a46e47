"""Language models: the protocol in model.py, one module a provider."""

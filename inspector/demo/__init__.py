"""The bundled workspace and its servers."""

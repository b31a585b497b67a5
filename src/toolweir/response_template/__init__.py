"""Response templates of transformers, read as formats."""

from .template import format_from_response_template

__all__ = ["format_from_response_template"]

"""What is trained for German alone."""

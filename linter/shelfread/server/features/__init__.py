"""What editors ask of a list, each as a function of documents and what is known of the project."""

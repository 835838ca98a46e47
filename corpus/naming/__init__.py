"""What makes two written forms one name: folding, words, and how words change their form. Pure, for any script."""

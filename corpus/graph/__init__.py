"""The knowledge graph as the pipeline asks it: stores that return bounded edges and ids, and a pure ranking."""

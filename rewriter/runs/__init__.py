"""Work that takes long: recipes, manifests, shards, processes, Ray."""

"""later"""
measure = None

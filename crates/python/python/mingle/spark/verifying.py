"""later"""
verify = None

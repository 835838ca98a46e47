# temporary while the nodes are being written
def run_turn(**k):
    from pipeline.runner import run_turn
    return run_turn(**k)

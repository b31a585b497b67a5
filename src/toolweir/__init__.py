"""toolweir"""

class DigitNet: pass

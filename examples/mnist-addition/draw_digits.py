"""Draws digits with a pen, so that the example runs without MNIST: strokes that are turned, stretched and moved."""
import math

SIZE = 28


class Digits:
    """Images of 28 x 28 bytes, and what they show."""

    def __init__(self, images, labels):
        self.images, self.labels = images, labels

    def __len__(self):
        return len(self.labels)


def arc(x, y, width, height, begin, end, *, steps=10):
    """Points of an ellipse; angles in degrees, 0 to the right, 90 down."""
    angles = [math.radians(begin + (end - begin) * i / steps) for i in range(steps + 1)]
    return [(x + width * math.cos(a), y + height * math.sin(a)) for a in angles]


# Per digit, its strokes: points between -1 and 1, x to the right, y down.
STROKES = [
    [arc(0, 0, 0.6, 0.95, -90, 270, steps=16)],
    [[(-0.3, -0.6), (0.05, -0.95), (0.05, 0.95)]],
    [arc(0, -0.45, 0.55, 0.5, 190, 380) + [(-0.6, 0.9), (0.65, 0.9)]],
    [arc(-0.05, -0.47, 0.5, 0.47, 200, 440), arc(-0.05, 0.45, 0.58, 0.5, -80, 155)],
    [[(0.2, -0.95), (-0.65, 0.3), (0.65, 0.3)], [(0.3, -0.3), (0.3, 0.95)]],
    [[(0.55, -0.9), (-0.4, -0.9), (-0.45, -0.1)] + arc(-0.05, 0.38, 0.6, 0.55, -110, 150)],
    [[(0.35, -0.95), (-0.3, -0.2), (-0.55, 0.4)], arc(0, 0.42, 0.55, 0.52, -180, 180, steps=14)],
    [[(-0.6, -0.88), (0.6, -0.88), (-0.1, 0.95)]],
    [arc(0, -0.48, 0.45, 0.45, 0, 360, steps=14), arc(0, 0.45, 0.55, 0.5, 0, 360, steps=14)],
    [arc(-0.02, -0.42, 0.52, 0.5, 0, 360, steps=14), [(0.5, -0.42), (0.4, 0.3), (0.1, 0.95)]],
]


def draw(count, random_numbers):
    labels = [random_numbers.randrange(10) for _ in range(count)]
    return Digits([draw_one(label, random_numbers) for label in labels], labels)


def draw_one(label, random_numbers):
    place = hand(random_numbers)
    segments = []
    for stroke in STROKES[label]:
        points = [place(*point) for point in stroke]
        segments += list(zip(points, points[1:]))
    pen = random_numbers.uniform(0.9, 1.6)
    return bytes(
        round(255 * min(1.0, max(0.0, pen + 0.5 - min(distance(x, y, *segment) for segment in segments))))
        for y in range(SIZE)
        for x in range(SIZE)
    )


def hand(random_numbers):
    """How this hand writes: a map from the plane of the strokes to pixels."""
    angle, slant = random_numbers.gauss(0, 0.12), random_numbers.gauss(0, 0.15)
    width, height = random_numbers.uniform(6.5, 9.5), random_numbers.uniform(8.0, 10.5)
    middle_x, middle_y = 13.5 + random_numbers.gauss(0, 1), 13.5 + random_numbers.gauss(0, 1)
    shake = random_numbers.uniform(0.0, 0.06)

    def place(x, y):
        x, y = x + random_numbers.gauss(0, shake), y + random_numbers.gauss(0, shake)
        x, y = width * (x - slant * y), height * y
        return (
            middle_x + x * math.cos(angle) - y * math.sin(angle),
            middle_y + x * math.sin(angle) + y * math.cos(angle),
        )

    return place


def distance(x, y, begin, end):
    """Of a point from a segment."""
    along_x, along_y = end[0] - begin[0], end[1] - begin[1]
    length = along_x * along_x + along_y * along_y
    part = 0.0 if length == 0 else ((x - begin[0]) * along_x + (y - begin[1]) * along_y) / length
    part = min(1.0, max(0.0, part))
    return math.hypot(x - begin[0] - part * along_x, y - begin[1] - part * along_y)

import unittest

from benchmarks.harness.results import Results
from benchmarks.suites.adoption import figures
from mpsr_launcher.checkout.checkout import Checkout, root_of


def adoption(name="alone", **other):
    dry = {"ms": 90_000, "footerSeconds": 0.5, "found": {"files": 1_000}, "bytesWritten": {"signal": 90, "device": 130}}
    told = {"files": 1_000, "ms": 100_000, "changes": 2, "filesWritten": 70}
    written = {"time": 100, "signal": 100, "device": 100}
    run = {"kind": "adopt", "name": name, "used": [1_000, 1_040], "dry": dry, "told": told, "written": written, "problems": []}
    return {**run, **other}


class AdoptionTest(unittest.TestCase):
    def figures_of(self, *runs):
        found = Results("adoption", 1, 1, Checkout(root_of()))
        for run in runs:
            found.add(run)
        figures.add(found)
        return found

    def test_what_was_foretold_is_compared_with_what_came(self):
        found = self.figures_of(adoption(), adoption("asked", used=[1_000, 1_200]))
        values = {name: (figure["value"], figure.get("goal", "").rpartition(" ")[2]) for name, figure in found.figures.items()}
        self.assertEqual(values["time.foretold"], (0.9, "met"))
        self.assertEqual((values["bytes.foretold.signal"], values["bytes.foretold.device"]), ((0.9, "met"), (1.3, "missed")))
        self.assertEqual((values["space.alone"], values["space.asked"]), ((1.04, "met"), (1.2, "missed")))
        self.assertEqual((values["footers"], values["rate.alone"][0]), ((2_000, "met"), 10))
        self.assertIn("seconds foretold", figures.text(found))

    def test_an_adoption_that_failed_has_no_figures(self):
        self.assertEqual(self.figures_of(adoption(told={"error": "no"})).figures, {})

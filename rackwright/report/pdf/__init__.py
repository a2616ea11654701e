"""The report as PDF, for readers who sign on paper: the same `view.Report` as the page, in fewer words.

   document.py   pages, headers, order of the parts      style.py   fonts, colours, tables
   parts.py      result, gates, waivers, refused nodes    nodes.py   passports      plot.py   distributions

No browser is needed for it.
"""

from rackwright.report.pdf.document import to_pdf

__all__ = ["to_pdf"]

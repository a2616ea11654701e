"""The section on Kubernetes: what is served, queues, tenants and the jobs that they ran."""

from rackwright.model.platform_record import PlatformQueue, PlatformRecord, PlatformTenant, ServedComponent
from rackwright.report import build, pdf, render
from tests.unit.report.conftest import tiny_handover

RECORD = PlatformRecord(
    kubernetes="1.34.2",
    run="run",
    objects=41,
    nodes=["serve-001"],
    waited_for=["pool serve"],
    components=[
        ServedComponent(name="kueue", version="0.14.0", serves=["ClusterQueue kueue.x-k8s.io/v1beta1"]),
        ServedComponent(name="kai", version="0.12", serves=["Topology kai/v1"], unproven="it is in no <module>"),
        ServedComponent(name="calico", version="3.30.4", serves=[]),
    ],
    queues=[
        PlatformQueue(name="product/chat", quota="16 amd.com/gpu of serve-chat, up to 8 more borrowed", takes=["chat"])
    ],
    tenants=[
        PlatformTenant(
            name="product",
            members=["group product"],
            role="edit",
            most={"amd.com/gpu": "48"},
            classes=["chat", "batch"],
        )
    ],
    jobs=["product ran a job with <8> amd.com/gpu on serve-001."],
)


def test_page_and_pdf_say_what_is_installed_and_who_may_run_what():
    report = build.build_report(tiny_handover(platform=RECORD), lambda _: "")
    page = render.render_page(report)
    assert '<a href="#platform">Kubernetes</a>' in page
    for text in (
        "Kubernetes 1.34.2 has 41 objects of the site, and labels on 1 node. Queues were opened after the release of pool serve.",
        '<th scope="row">kueue</th><td>0.14.0</td><td>ClusterQueue kueue.x-k8s.io/v1beta1</td>',
        '<th scope="row">calico</th><td>3.30.4</td><td>none</td>',
        '<th scope="row">product/chat</th><td>16 amd.com/gpu of serve-chat, up to 8 more borrowed</td><td>chat</td>',
        '<th scope="row">product</th><td>group product</td><td>edit</td><td>chat, batch</td><td>48 amd.com/gpu</td>',
        "<p>The chart of kai is unproven: it is in no &lt;module&gt;.</p>",
        "<li>product ran a job with &lt;8&gt; amd.com/gpu on serve-001.</li>",
    ):
        assert text in page
    assert pdf.to_pdf(report)


def test_a_report_without_a_platform_has_no_section():
    page = render.render_page(build.build_report(tiny_handover(), lambda _: ""))
    assert "#platform" not in page

"""The language server: documents in, diagnostics and quick fixes out."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rewriter.lsp.findings import PROSE, Finder, Group
from rewriter.version import __version__

SOURCE = "gender-fair"


def make_server(finder: Finder) -> Any:
    """Return a server that waits to be started (``start_io``).

    Args:
        finder: finds what would change.
    """
    server = LanguageServer(SOURCE, __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)

    def look(parameters: Any) -> None:
        document = server.workspace.get_text_document(parameters.text_document.uri)
        found = [item for group in _groups(document, finder) for item in _diagnostics(document, group)]
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=found)
        )

    def forget(parameters: Any) -> None:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=parameters.text_document.uri, diagnostics=[])
        )

    def fix(parameters: Any) -> list[Any]:
        document = server.workspace.get_text_document(parameters.text_document.uri)
        groups = _groups(document, finder)
        touched = [group for group in groups if _touches(document, group, parameters.range)]
        actions = [_action(document, group.title, [group]) for group in touched]
        return [*actions, _action(document, f"All {len(groups)} gender-fair changes", groups)] if touched else []

    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(look)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(look)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(forget)
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(fix)
    return server


def _groups(document: Any, finder: Finder) -> list[Group]:
    return finder.groups(document.source) if (document.language_id or PROSE[0]) in PROSE else []


def _range(document: Any, start: int, end: int) -> Any:
    """Return a span of characters in the units that the editor counts in."""
    return types.Range(document.client_position_at_offset(start), document.client_position_at_offset(end))


def _diagnostics(document: Any, group: Group) -> list[Any]:
    return [
        types.Diagnostic(
            range=_range(document, edit.start, edit.end),
            message=f"{edit.before} → {edit.after} ({edit.reason})",
            severity=types.DiagnosticSeverity.Information,
            source=SOURCE,
            code=edit.kind,
        )
        for edit in group.edits
    ]


def _touches(document: Any, group: Group, span: Any) -> bool:
    start, end = document.offset_at_position(span.start), document.offset_at_position(span.end)
    return any(edit.start <= end and edit.end >= start for edit in group.edits)


def _action(document: Any, title: str, groups: list[Group]) -> Any:
    edits = [
        types.TextEdit(range=_range(document, edit.start, edit.end), new_text=edit.after)
        for group in groups
        for edit in group.edits
    ]
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[item for group in groups for item in _diagnostics(document, group)],
        edit=types.WorkspaceEdit(changes={document.uri: edits}),
    )

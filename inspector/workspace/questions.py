"""What a server asks of its client, in both eras: a person answers elicitation, and nothing else is claimed."""

from __future__ import annotations

import mcp_types as types
from mcp import Client
from mcp.client import ClientRequestContext

from inspector.workspace.elicitation import Elicit, Elicitation
from inspector.workspace.problem import Severity
from inspector.workspace.tap import Tap
from inspector.workspace.waits import Waits


class Questions:
    """Answers one server. With `elicit` elicitation is claimed; sampling and roots never are.

    2025 asks by a request of the server's, 2026-07-28 by an `input_required` result, which the SDK answers by
    sending the request again: both come here.
    """

    def __init__(self, tap: Tap, waits: Waits, elicit: Elicit | None) -> None:
        self._tap = tap
        self._waits = waits
        self._elicit = elicit
        tap.answers_questions = elicit is not None

    @property
    def is_claimed(self) -> bool:
        """Whether there is anybody to ask."""
        return self._elicit is not None

    def refuse_unclaimed(self, client: Client) -> None:
        """Lets what was not claimed be no method here: the SDK would call it a bad request."""
        session = client.session
        dispatch = session.dispatch_input_request

        async def answer(
            context: ClientRequestContext, request: types.InputRequest
        ) -> types.InputResponse | types.ErrorData:
            if isinstance(request, types.ElicitRequest) and self.is_claimed:
                return await dispatch(context, request)
            message = f"it asks for {request.method}, which this client does not claim"
            self._tap.note(Severity.NOTE, request.method, message)
            return types.ErrorData(code=types.METHOD_NOT_FOUND, message=f"not claimed: {request.method}")

        session.dispatch_input_request = answer  # type: ignore[method-assign, assignment]

    async def ask(self, context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Asks the person, for whom every time limit of this server's stands still meanwhile."""
        assert self._elicit is not None
        if isinstance(params, types.ElicitRequestURLParams):
            asked = Elicitation(self._tap.server, params.message, url=params.url)
        else:
            asked = Elicitation(self._tap.server, params.message, schema=params.requested_schema)
        with self._waits.asked():
            answer = await self._elicit(asked)
        content = dict(answer.content) if answer.content is not None else None
        return types.ElicitResult(action=answer.action.value, content=content)

# SPDX-License-Identifier: Apache-2.0

"""A provider on Pyvider, with gRPC and values that are not implemented in Go. It shows that the host does not depend on the behaviour of
Go's libraries. Its objects are files in a directory, so that a test can inspect, change and remove them without the provider's knowledge.

The launcher that `npm run peers` writes starts it as `python provider.py`.
"""

import asyncio
from decimal import Decimal
import hashlib
import json
import os
from pathlib import Path
import sys
from typing import Any

import attrs
from pyvider.capabilities import BaseCapability, register_capability
from pyvider.cli.__main__ import main
from pyvider.cty import CtyString, CtyValue
from pyvider.data_sources import BaseDataSource, register_data_source
from pyvider.exceptions import FunctionError, ResourceError
from pyvider.functions import register_function
from pyvider.hub import hub
from pyvider.providers import BaseProvider, ProviderMetadata, register_provider
from pyvider.resources import BaseResource, register_resource
from pyvider.resources.context import ResourceContext
from pyvider.schema import (
    PvsSchema,
    a_bool,
    a_list,
    a_map,
    a_num,
    a_obj,
    a_set,
    a_str,
    b_list,
    s_data_source,
    s_identity,
    s_resource,
)

VERSION = "0.1.0"


@register_capability("settings")
class Settings(BaseCapability):
    """The provider's configuration schema, which Pyvider collects from capabilities."""

    def __init__(self, config: Any | None = None) -> None:
        pass

    @staticmethod
    def get_schema_contribution() -> dict[str, Any]:
        return {
            "directory": a_str("Directory of the files; created if it does not exist.", required=True),
            "token": a_str("Any text except the word wrong.", sensitive=True),
        }


@register_provider("pyvider")
class Provider(BaseProvider):
    def __init__(self) -> None:
        super().__init__(metadata=ProviderMetadata(name="pyvider", version=VERSION))
        self.directory = Path()

    async def configure(self, config: Any) -> None:
        await super().configure(config)
        if config.token == "wrong":
            raise ResourceError("The token was refused.")
        self.directory = Path(config.directory)
        self.directory.mkdir(parents=True, exist_ok=True)


def directory() -> Path:
    """Returns the folder of the only provider instance in the process."""
    return hub.get_component("singleton", "provider").directory


@attrs.define(frozen=True)
class Place:
    host: str | None = None
    port: int | None = None


@attrs.define(frozen=True)
class Line:
    text: str | None = None
    mark: bool | None = None


@attrs.define(frozen=True)
class NoteConfig:
    title: str
    kind: str | None = None
    size: int | None = None
    ratio: float | None = None
    pinned: bool | None = None
    tags: list[str] | None = None
    # A set, but annotated as a list, because Pyvider converts the elements of lists.
    groups: list[str] | None = None
    labels: dict[str, str] | None = None
    secret: str | None = None
    place: Place | None = None
    line: list[Line] | None = None
    trouble: str | None = None


@attrs.define(frozen=True)
class NoteState(NoteConfig):
    id: str | None = None
    revision: int | None = None


@register_resource("pyvider_note")
class Note(BaseResource["Note", NoteState, NoteConfig]):
    config_class = NoteConfig
    state_class = NoteState

    @classmethod
    def get_schema(cls) -> PvsSchema:
        return s_resource(
            {
                "id": a_str("Kind and a hash of the title.", computed=True),
                "revision": a_num("Counts the changes.", computed=True),
                "title": a_str("Must not be empty.", required=True),
                "kind": a_str("Another kind replaces the note.", default="plain", computed=True, optional=True, requires_replace=True),
                "size": a_num(),
                "ratio": a_num(),
                "pinned": a_bool(),
                "tags": a_list(a_str()),
                "groups": a_set(a_str()),
                "labels": a_map(a_str()),
                "secret": a_str(sensitive=True),
                "place": a_obj({"host": a_str(required=True), "port": a_num()}),
                "trouble": a_str("Selects the behaviour of calls: error, crash, hang, print."),
            },
            block_types=[b_list("line", attributes={"text": a_str(required=True), "mark": a_bool()})],
            version=2,
        )

    @classmethod
    def get_identity_schema(cls) -> PvsSchema:
        return s_identity({"id": a_str(required=True)})

    @classmethod
    async def upgrade_state(cls, version: int, raw_state: dict[str, Any]) -> dict[str, Any]:
        """Upgrades version 1, which called the title name."""
        if version == 1:
            raw_state["title"] = raw_state.pop("name")
        return raw_state

    async def _validate_config(self, config: NoteConfig) -> list[str]:
        return ["the title must not be empty"] if config.title == "" else []

    async def _create(self, ctx: ResourceContext, base_plan: dict[str, Any]) -> tuple[dict[str, Any], None]:
        return base_plan | {"id": CtyValue.unknown(CtyString()), "revision": 1}, None

    async def _update(self, ctx: ResourceContext, base_plan: dict[str, Any]) -> tuple[dict[str, Any], None]:
        changed = ctx.planned_state != ctx.state
        return base_plan | {"id": ctx.state.id, "revision": ctx.state.revision + int(changed)}, None

    async def _create_apply(self, ctx: ResourceContext) -> tuple[NoteState, None]:
        await simulate_trouble(ctx.config.trouble)
        planned = ctx.planned_state
        sum_of_title = hashlib.sha256(planned.title.encode()).hexdigest()
        return write(attrs.evolve(planned, id=f"{planned.kind}-{sum_of_title[:8]}", revision=1)), None

    async def _update_apply(self, ctx: ResourceContext) -> tuple[NoteState, None]:
        await simulate_trouble(ctx.config.trouble)
        return write(attrs.evolve(ctx.planned_state, id=ctx.state.id)), None

    async def _delete_apply(self, ctx: ResourceContext) -> None:
        (directory() / f"{ctx.state.id}.json").unlink(missing_ok=True)

    async def read(self, ctx: ResourceContext) -> NoteState | None:
        return find(ctx.state.id)

    async def import_state(self, ctx: ResourceContext, import_id: str) -> NoteState | None:
        return find(import_id or ctx.identity["id"])


async def simulate_trouble(trouble: str | None) -> None:
    """Fails in the way that the configuration selects."""
    if trouble == "error":
        raise ResourceError("There is trouble.")
    if trouble == "crash":
        print("Fatal Python error: enough", file=sys.stderr, flush=True)
        os._exit(3)
    if trouble == "hang":
        await asyncio.sleep(3600)
    if trouble == "print":
        print("printed by a handler", flush=True)


def write(state: NoteState) -> NoteState:
    (directory() / f"{state.id}.json").write_text(json.dumps(attrs.asdict(state), indent=2, default=number))
    return state


def number(value: Decimal) -> int | float:
    return int(value) if value == int(value) else float(value)


def find(note_id: str) -> NoteState | None:
    file = directory() / f"{note_id}.json"
    if not file.exists():
        return None
    content = json.loads(file.read_text())
    place, lines = content.pop("place"), content.pop("line")
    return NoteState(**content, place=place and Place(**place), line=[Line(**line) for line in lines or []])


@attrs.define(frozen=True)
class LookupConfig:
    id: str


@attrs.define(frozen=True)
class LookupState:
    id: str
    title: str | None = None
    revision: int | None = None


@register_data_source("pyvider_lookup")
class Lookup(BaseDataSource["Lookup", LookupState, LookupConfig]):
    config_class = LookupConfig
    state_class = LookupState

    @classmethod
    def get_schema(cls) -> PvsSchema:
        return s_data_source({"id": a_str(required=True), "title": a_str(computed=True), "revision": a_num(computed=True)})

    async def _validate_config(self, config: LookupConfig) -> list[str]:
        return []

    async def read(self, ctx: ResourceContext) -> LookupState:
        found = find(ctx.config.id)
        if found is None:
            raise ResourceError(f"There is no note {ctx.config.id}.")
        return LookupState(id=ctx.config.id, title=found.title, revision=found.revision)


@register_function("repeat", summary="Repeats a text.")
def repeat(text: str, times: int) -> str:
    if times < 0:
        raise FunctionError("times must not be negative", function_name="repeat", argument_index=1)
    return text * int(times)


@register_function("total", summary="Adds numbers.")
def total(*numbers: int | float) -> float:
    return sum(numbers)


if __name__ == "__main__":
    # Pyvider finds components by the entry points of a package; this program is not a package, so it registers them itself.
    for kind, name, component in [
        ("capability", "settings", Settings),
        ("resource", "pyvider_note", Note),
        ("data_source", "pyvider_lookup", Lookup),
        ("function", "repeat", repeat),
        ("function", "total", total),
    ]:
        hub.register(kind, name, component)
    # Pyvider serves only under the name of a provider program.
    sys.argv[0] = "terraform-provider-pyvider"
    main()

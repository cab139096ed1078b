"""Neovim without a screen, set up as docs/editors.md says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.docs import PAGES, fences

_FRAME = """
local function wait(condition, what)
  if not vim.wait(20000, condition, 50) then error('it did not come: ' .. what) end
end
local function test()
%s
end
local well, result = pcall(test)
if well then
  local file = io.open('result.json', 'w')
  file:write(vim.fn.json_encode(result))
  file:close()
else
  io.stderr:write(tostring(result))
end
vim.cmd('qa!')
"""


def run_neovim(folder: Path, file: str, script: str) -> Any:
    """Return what a script returns that Neovim runs after it opened a file of a folder.

    `wait(condition, what)` waits in the script.
    """
    (folder / ".git").mkdir()
    program = folder / "bin" / "shelfread"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shelfread "$@"\n')
    program.chmod(0o755)
    (setup,) = (each for each in fences(PAGES["docs/editors.md"], "lua") if "FileType" in each)
    (folder / "init.lua").write_text(setup)
    (folder / "test.lua").write_text(_FRAME % script)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    command = ["nvim", "--headless", "-n", "-u", "init.lua", file, "-c", "luafile test.lua"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    assert (folder / "result.json").exists(), done.stderr
    return json.loads((folder / "result.json").read_text())

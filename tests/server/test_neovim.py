"""Neovim, without a screen: it shows what `check` reports, applies a fix and formats, as docs/editors.md sets it up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.docs import PAGES, fences

LIST = """\
# Awesome Shelves

## Tools

- [Foo](http://dx.doi.org/10.1145/3302424.3303953) - 中文 😀 finds books.
- 😀 [Bar](http://dx.doi.org/10.1145/3341301.3359653) - 中文 sorts books.
* [Baz]() - Counts books.
"""

SCRIPT = """
local function test()
local function wait(condition, what)
  if not vim.wait(20000, condition, 50) then error('it did not come: ' .. what) end
end

local found = {}
wait(function() return #vim.diagnostic.get(0) == 3 end, 'diagnostics')
for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { diagnostic.code, diagnostic.lnum, diagnostic.col, diagnostic.severity })
end

local titles = {}
vim.ui.select = function(items, options, chosen)
  for _, item in ipairs(items) do
    local action = item[2] or item.action
    table.insert(titles, action.title)
    if vim.startswith(action.title, 'Fix: ') then chosen(item, 1) return end
  end
end
vim.api.nvim_win_set_cursor(0, { 6, 10 })
vim.lsp.buf.code_action()
wait(function() return #vim.diagnostic.get(0) == 2 end, 'the fix')
local fixed = vim.api.nvim_buf_get_lines(0, 0, -1, false)

vim.api.nvim_buf_set_lines(0, 0, 1, false, { '#   Awesome Shelves' })
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
local formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)

local file = io.open('result.json', 'w')
file:write(vim.fn.json_encode({ found = found, titles = titles, fixed = fixed, formatted = formatted }))
file:close()
end

local well, trouble = pcall(test)
if not well then io.stderr:write(tostring(trouble)) end
vim.cmd('qa!')
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_diagnostics_applies_a_fix_and_formats(tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text(LIST)
    (tmp_path / ".git").mkdir()
    program = tmp_path / "bin" / "shelfread"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shelfread "$@"\n')
    program.chmod(0o755)
    (setup,) = (each for each in fences(PAGES["docs/editors.md"], "lua") if "FileType" in each)
    (tmp_path / "init.lua").write_text(setup)
    (tmp_path / "test.lua").write_text(SCRIPT)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **{f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    command = ["nvim", "--headless", "-n", "-u", "init.lua", "list.md", "-c", "luafile test.lua"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
    assert (tmp_path / "result.json").exists(), done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["found"] == [
        ["paper/doi-form", 4, 8, 2],
        ["paper/doi-form", 5, 13, 2],  # Neovim counts bytes
        ["link/empty", 6, 2, 2],
    ]
    fixed = LIST.replace("http://dx.doi.org/10.1145/3341301", "https://doi.org/10.1145/3341301")
    assert "\n".join([*result["fixed"], ""]) == fixed
    assert "\n".join([*result["formatted"], ""]) == fixed
    assert result["titles"][0].startswith("Fix: https://doi.org/10.1145/3341301")

// Starts `gender-fair lsp` for prose and hands it what is edited; everything else is the language server's work.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["plaintext", "markdown", "html", "latex", "tex", "restructuredtext", "asciidoc"];

let client;

/** Start the server with the settings as they are now. */
async function start() {
  const settings = vscode.workspace.getConfiguration("genderFair");
  const server = { command: settings.get("command"), args: ["lsp", ...settings.get("arguments")] };
  const documentSelector = LANGUAGES.map((language) => ({ language }));
  client = new LanguageClient("genderFair", "Gender-fair language", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    const hint = "install it with: pip install 'gender-fair-rewriter[lsp]', or name it in the setting genderFair.command";
    vscode.window.showErrorMessage(`'${server.command} lsp' does not start (${error.message}); ${hint}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("genderFair.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("genderFair") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };

# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
"""A page in headless Chromium, driven by the DevTools protocol over a pipe: no driver, no library, no port."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time

from mpsr_launcher import waiting
from mpsr_launcher.errors import MpsrError

OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
)
NO_NETWORK = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""The resolver's rules: a page must do without the network."""


class PageError(MpsrError):
    """The page cannot do what it was told, perhaps only because it is being replaced by another."""


class Browser:
    """One browser with one page. To be closed. For one thread."""

    def __init__(self, program, width=1400, height=1000, hosts=(), arguments=()):
        """Starts it with further arguments; ``hosts`` are names that it takes for this machine."""
        self._profile = tempfile.TemporaryDirectory(prefix="mpsr-chromium-", ignore_cleanup_errors=True)
        options = [*OPTIONS, *arguments, f"--window-size={width},{height}", f"--user-data-dir={self._profile.name}"]
        rules = [*(f"MAP {name} 127.0.0.1" for name in hosts), NO_NETWORK]
        options.append(f"--host-resolver-rules={', '.join(rules)}")
        options += ["--no-sandbox"] if os.geteuid() == 0 else []  # root has to
        theirs, self._out = os.pipe()
        self._in, answers = os.pipe()
        # Chromium reads from 3 and writes to 4.
        script = f'exec "$@" 3<&{theirs} 4>&{answers}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, *options, "about:blank"],
            pass_fds=(theirs, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(theirs)
        os.close(answers)
        self._received = b""
        self._last_id = 0
        self._session = None
        self._faked = {}
        self.errors = []  # what the page's console shows as an error
        self.requests = []  # the URLs that were asked for
        self._open_page()

    def _open_page(self):
        pages = [t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        target = pages[0]["targetId"] if pages else self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def open(self, url):
        """Loads a page; what it loads itself may not be there yet."""
        failed = self._call("Page.navigate", url=url).get("errorText")
        if failed:
            raise MpsrError(f"{url} cannot be loaded: {failed}")

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(f"{expression}: {details.get('exception', {}).get('description') or details['text']}")
        return answer["result"].get("value")

    def until(self, expression, timeout_seconds=30):
        """Waits until the expression is true in the page, and returns its value. While it fails it is not true."""
        failures = [""]

        def found():
            try:
                return self.evaluate(expression)
            except PageError as error:
                failures.append(str(error))
                return None

        try:
            return waiting.until(found, f"'{expression}' in the page", timeout_seconds)
        except MpsrError as error:
            raise MpsrError(f"{error} Last failure: '{failures[-1]}'; errors in the console: {self.errors}") from error

    def click(self, selector):
        """Clicks into the middle of an element, as a mouse does."""
        self.until(f"document.querySelector({json.dumps(selector)}) !== null")
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.evaluate(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, selector, begin, end, shift=False):
        """Draws the mouse with its button from one share of an element's width to another, at a quarter of its height."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y, width, height = self.evaluate(f"(b => [b.x, b.y, b.width, b.height])({box})")
        for kind, share, pressed in (
            ("mouseMoved", begin, {}),
            ("mousePressed", begin, {"button": "left", "clickCount": 1}),
            ("mouseMoved", (begin + end) / 2, {"button": "left", "buttons": 1}),
            ("mouseMoved", end, {"button": "left", "buttons": 1}),
            ("mouseReleased", end, {"button": "left", "clickCount": 1}),
        ):
            place = {"x": x + width * share, "y": y + height / 4}
            self._call("Input.dispatchMouseEvent", type=kind, modifiers=8 if shift else 0, **place, **pressed)

    def turn(self, selector, by):
        """Turns the mouse's wheel over the middle of an element: away from the user with a negative number."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.evaluate(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
        self._call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def type(self, selector, text):
        """Writes into a field, in the place of what is there, as a keyboard does."""
        self.click(selector)
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
        self._call("Input.insertText", text=text)

    def save_into(self, directory):
        """From now on what the page gives to save becomes a file of the directory."""
        self._call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(directory))

    def texts(self, selector):
        """The visible texts of all elements that the selector finds."""
        return self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText.trim())")

    def fake(self, part_of_url, body):
        """From now on answers requests whose URL has that part with this JSON object."""
        self._faked[part_of_url] = base64.b64encode(json.dumps(body).encode()).decode()
        self._call("Fetch.enable", patterns=[{"urlPattern": f"*{part}*"} for part in self._faked])

    def screenshot(self, file):
        """Writes a PNG of the whole page."""
        size = self._call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        answer = self._call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(answer["data"]))

    def close(self):
        """Ends the browser."""
        os.close(self._out)  # which it takes as the wish to end
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()
        os.close(self._in)
        self._profile.cleanup()

    def _call(self, method, **params):
        self._last_id += 1
        self._send(self._last_id, method, params)
        deadline = time.monotonic() + 60
        while True:
            message = self._receive(deadline, method)
            if message.get("id") == self._last_id:
                if "error" in message:
                    raise PageError(f"Chromium refuses {method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self._note(message["method"], message.get("params", {}))

    def _send(self, number, method, params):
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")

    def _receive(self, deadline, method):
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._in], [], [], max(0, deadline - time.monotonic()))
            more = os.read(self._in, 1 << 16) if ready else b""
            if not more:
                raise MpsrError(f"Chromium does not answer {method}" if not ready else "Chromium has ended")
            self._received += more
        text, _, self._received = self._received.partition(b"\0")
        return json.loads(text)

    def _note(self, event, params):
        if event == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif event == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(str([argument.get("value") for argument in params["args"]]))
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif event == "Page.javascriptDialogOpening":
            self.errors.append(f"a dialog: {params['message']}")
            self._forget("Page.handleJavaScriptDialog", accept=False)
        elif event == "Fetch.requestPaused":
            self._answer(params)

    def _answer(self, params):
        url = params["request"]["url"]
        body = next(body for part, body in self._faked.items() if part in url)
        headers = [{"name": "Content-Type", "value": "application/json"}]
        self._forget(
            "Fetch.fulfillRequest",
            requestId=params["requestId"],
            responseCode=200,
            responseHeaders=headers,
            body=body,
        )

    def _forget(self, method, **params):
        """Calls without waiting for the answer, as one must within an event."""
        self._send(0, method, params)

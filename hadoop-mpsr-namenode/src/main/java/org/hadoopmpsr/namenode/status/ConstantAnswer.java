/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.namenode.status;

import java.io.IOException;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A servlet with a constant answer, which clients ask for again only when it may have changed. Thread-safe. */
final class ConstantAnswer extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final byte[] body;
    private final transient Map<String, String> headers;
    /** The time in whole seconds, as clients send it back. */
    private final long since;

    /**
     * An answer.
     *
     * @param type the content type
     * @param now the time since which it is so, in milliseconds
     * @param headers that the answer has besides
     */
    ConstantAnswer(String type, byte[] body, long now, Map<String, String> headers) {
        this.type = type;
        this.since = now - now % 1_000;
        this.headers = headers;
        this.body = body;
    }

    @Override
    protected long getLastModified(HttpServletRequest request) {
        return since;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(type);
        headers.forEach(response::setHeader);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}

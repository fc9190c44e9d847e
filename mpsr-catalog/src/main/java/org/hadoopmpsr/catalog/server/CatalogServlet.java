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
package org.hadoopmpsr.catalog.server;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Reads requests of HTTP and writes the answers of a {@link CatalogService}. */
final class CatalogServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = PrintableLog.of(CatalogServlet.class);
    private static final String NAMESPACES = "namespaces";
    private static final String TABLES = "tables";
    private static final String LEVELS = "\u001f";
    private static final String RETRY_SECONDS = "1";
    /** What a task has besides the request. */
    private static final int TASK_BYTES = 4 << 10;

    private final transient CatalogService service;
    private final transient ScanService scans;
    private final transient Callers callers;
    private final int mostBytes;

    /** @param mostBytes the most bytes of a request's body */
    CatalogServlet(CatalogService service, ScanService scans, Callers callers, int mostBytes) {
        this.service = service;
        this.scans = scans;
        this.callers = callers;
        this.mostBytes = mostBytes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getMethod().equals("OPTIONS")) { // by which Hadoop's clients prove who they are
            response.setHeader("Allow", "GET, HEAD, POST, OPTIONS");
            return;
        }
        try {
            Answer answer = callers.as(request, caller -> answer(caller, request));
            answer.headers().forEach(response::setHeader);
            if (answer.body() == null) {
                response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            } else {
                write(response, HttpServletResponse.SC_OK, answer.body());
            }
        } catch (CatalogException e) {
            error(response, e);
        } catch (IOException e) {
            CatalogException answer = Failures.answer(e, Callers.token(request) != null);
            if (answer.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
                LOG.warn("{} {} failed", request.getMethod(), request.getRequestURI(), e);
            }
            error(response, answer);
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
            error(
                    response,
                    new CatalogException(
                            500, "InternalServerError", "An unexpected error: " + e + "; see the log of the gateway"));
        }
    }

    private Answer answer(Caller caller, HttpServletRequest request) throws IOException, CatalogException {
        String[] path = path(request);
        String method = request.getMethod();
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (path.length == 1 && path[0].equals("config") && reads) {
            return Answer.of(service.config());
        }
        if (path.length == 0 || !path[0].equals(NAMESPACES)) {
            throw reads
                    ? new CatalogException(404, "NotFoundException", "There is no " + request.getRequestURI())
                    : CatalogException.readOnly();
        }
        if (path.length == 1 && reads) {
            return Answer.of(service.namespaces(caller, namespace(request.getParameter("parent"))));
        }
        if (path.length == 1) {
            throw CatalogException.readOnly();
        }
        Namespace namespace = namespace(path[1]);
        if (path.length == 2 && reads) {
            Object found = service.namespace(caller, namespace);
            return method.equals("HEAD") ? Answer.NOTHING : Answer.of(found);
        }
        if (path.length == 3 && path[2].equals(TABLES) && reads) {
            return Answer.of(service.tables(caller, namespace));
        }
        if (path.length >= 4 && path[2].equals(TABLES)) {
            return table(
                    caller,
                    request,
                    table(namespace, path[3]),
                    Arrays.asList(path).subList(4, path.length));
        }
        throw CatalogException.readOnly();
    }

    private Answer table(Caller caller, HttpServletRequest request, TableIdentifier name, List<String> rest)
            throws IOException, CatalogException {
        String method = request.getMethod();
        if (rest.isEmpty() && method.equals("GET")) {
            return Answer.of(service.table(caller, name, ManifestServlet.root(request)));
        }
        if (rest.isEmpty() && method.equals("POST")) {
            UpdateTableRequest commit = Bodies.commit(Bodies.text(request, mostBytes));
            return Answer.of(service.commit(caller, name, ManifestServlet.root(request), commit));
        }
        if (rest.isEmpty() && method.equals("HEAD")) {
            service.requireTable(caller, name);
            return Answer.NOTHING;
        }
        String asked = method + " " + String.join("/", rest);
        if (asked.equals("POST plan")) {
            return scans.plan(caller, FoundTable.find(caller, name), Bodies.text(request, mostBytes));
        }
        if (asked.equals("POST tasks")) {
            String task = Bodies.planTask(Bodies.text(request, mostTaskBytes()));
            return scans.tasks(caller, FoundTable.find(caller, name), task);
        }
        if (rest.size() == 2 && rest.get(0).equals("plan") && (method.equals("GET") || method.equals("DELETE"))) {
            service.requireTable(caller, name);
            if (method.equals("DELETE")) {
                return Answer.NOTHING; // nothing is kept of a plan
            }
            throw CatalogException.noPlan(rest.get(1));
        }
        if (asked.equals("POST metrics")) {
            service.requireTable(caller, name);
            Bodies.text(request, mostBytes);
            return Answer.NOTHING; // what a client measured is not kept
        }
        throw CatalogException.readOnly();
    }

    /** A task holds the request that was planned, in Base64. */
    private int mostTaskBytes() {
        return (int) Math.min(Integer.MAX_VALUE - 1L, mostBytes / 3L * 4 + TASK_BYTES);
    }

    /** The parts of the path after the version, decoded. */
    private static String[] path(HttpServletRequest request) throws CatalogException {
        String info = request.getRequestURI();
        String[] parts = info.substring(CatalogServer.ROOT.length()).split("/");
        try {
            return Arrays.stream(parts)
                    .filter(part -> !part.isEmpty())
                    .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
                    .toArray(String[]::new);
        } catch (IllegalArgumentException e) {
            throw CatalogException.wrong("The path " + info + " cannot be read: " + e.getMessage());
        }
    }

    private static Namespace namespace(@Nullable String text) throws CatalogException {
        if (text == null || text.isEmpty()) {
            return Namespace.empty();
        }
        String[] levels = text.split(LEVELS, -1);
        for (String level : levels) {
            if (!Tables.isName(level)) {
                throw CatalogException.noNamespace(String.join(".", levels));
            }
        }
        return Namespace.of(levels);
    }

    private static TableIdentifier table(Namespace namespace, String name) throws CatalogException {
        if (!Tables.isName(name)) {
            throw CatalogException.noTable(name);
        }
        return TableIdentifier.of(namespace, name);
    }

    private static void write(HttpServletResponse response, int status, Object answer) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        MpsrRestBridge.mapper().writeValue(response.getOutputStream(), answer);
    }

    private static void error(HttpServletResponse response, CatalogException e) throws IOException {
        if (e.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", RETRY_SECONDS);
        }
        write(
                response,
                e.status(),
                ErrorResponse.builder()
                        .responseCode(e.status())
                        .withType(e.type())
                        .withMessage(String.valueOf(e.getMessage()))
                        .build());
    }
}

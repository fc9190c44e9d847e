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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.security.AccessControlException;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.apache.iceberg.rest.requests.FetchScanTasksRequestParser;
import org.apache.iceberg.rest.responses.ErrorResponse;
import org.hadoopmpsr.client.MpsrClient;
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

    private final transient CatalogService service;
    private final transient Callers callers;
    private final int mostBytes;

    /** @param mostBytes the most bytes of a request's body */
    CatalogServlet(CatalogService service, Callers callers, int mostBytes) {
        this.service = service;
        this.callers = callers;
        this.mostBytes = mostBytes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            Object answer = callers.as(request, caller -> answer(caller, request));
            if (answer == null) {
                response.setStatus(HttpServletResponse.SC_NO_CONTENT);
            } else {
                write(response, HttpServletResponse.SC_OK, answer);
            }
        } catch (CatalogException e) {
            error(response, e.status(), e.type(), e.getMessage());
        } catch (AccessControlException | org.apache.hadoop.ipc.RemoteException e) {
            boolean denied = e instanceof AccessControlException
                    || e instanceof org.apache.hadoop.ipc.RemoteException remote
                            && remote.unwrapRemoteException() instanceof AccessControlException;
            error(
                    response,
                    denied ? HttpServletResponse.SC_FORBIDDEN : HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    denied ? "ForbiddenException" : "ServiceUnavailableException",
                    MpsrClient.answer(e));
        } catch (FileNotFoundException e) {
            error(response, HttpServletResponse.SC_NOT_FOUND, "NoSuchTableException", MpsrClient.answer(e));
        } catch (IOException e) {
            LOG.warn("{} {} failed", request.getMethod(), request.getRequestURI(), e);
            error(
                    response,
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    "ServiceUnavailableException",
                    MpsrClient.answer(e));
        }
    }

    private @Nullable Object answer(Caller caller, HttpServletRequest request) throws IOException, CatalogException {
        String[] path = path(request);
        String method = request.getMethod();
        boolean reads = method.equals("GET") || method.equals("HEAD");
        if (path.length == 1 && path[0].equals("config") && reads) {
            return service.config();
        }
        if (path.length == 0 || !path[0].equals(NAMESPACES)) {
            throw reads
                    ? CatalogException.wrong("There is no " + request.getRequestURI())
                    : CatalogException.readOnly();
        }
        if (path.length == 1 && reads) {
            return service.namespaces(caller, namespace(request.getParameter("parent")));
        }
        if (path.length == 1) {
            throw CatalogException.readOnly();
        }
        Namespace namespace = namespace(path[1]);
        if (path.length == 2 && reads) {
            Object found = service.namespace(caller, namespace);
            return method.equals("HEAD") ? null : found;
        }
        if (path.length == 3 && path[2].equals(TABLES) && reads) {
            return service.tables(caller, namespace);
        }
        if (path.length >= 4 && path[2].equals(TABLES)) {
            return table(
                    caller,
                    request,
                    TableIdentifier.of(namespace, path[3]),
                    Arrays.asList(path).subList(4, path.length));
        }
        throw CatalogException.readOnly();
    }

    private @Nullable Object table(Caller caller, HttpServletRequest request, TableIdentifier name, List<String> rest)
            throws IOException, CatalogException {
        String asked = request.getMethod() + " " + String.join("/", rest);
        if (rest.isEmpty()
                && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"))) {
            if (request.getMethod().equals("GET")) {
                return service.table(caller, name);
            }
            service.requireTable(caller, name);
            return null;
        }
        if (asked.equals("POST plan")) {
            return service.plan(caller, name, body(request));
        }
        if (asked.equals("POST tasks")) {
            String body = body(request);
            try {
                return service.tasks(
                        caller, name, FetchScanTasksRequestParser.fromJson(body).planTask());
            } catch (IllegalArgumentException e) {
                throw CatalogException.wrong(e.getMessage());
            }
        }
        if (asked.equals("POST metrics") || request.getMethod().equals("DELETE") && asked.startsWith("DELETE plan/")) {
            body(request);
            return null; // nothing is kept of a plan, nor of what a client measured
        }
        throw CatalogException.readOnly();
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

    private static Namespace namespace(@Nullable String text) {
        return text == null || text.isEmpty() ? Namespace.empty() : Namespace.of(text.split(LEVELS));
    }

    private String body(HttpServletRequest request) throws IOException, CatalogException {
        try (InputStream in = request.getInputStream()) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw new CatalogException(
                        413,
                        "BadRequestException",
                        "The request has more than " + mostBytes + " bytes; ask for less at once");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static void write(HttpServletResponse response, int status, Object answer) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        MpsrRestBridge.mapper().writeValue(response.getOutputStream(), answer);
    }

    private static void error(HttpServletResponse response, int status, String type, @Nullable String message)
            throws IOException {
        write(
                response,
                status,
                ErrorResponse.builder()
                        .responseCode(status)
                        .withType(type)
                        .withMessage(String.valueOf(message))
                        .build());
    }
}

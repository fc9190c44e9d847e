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
import java.util.Locale;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;
import org.apache.hadoop.hdfs.web.resources.RenewerParam;
import org.apache.hadoop.hdfs.web.resources.TokenArgumentParam;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.iceberg.rest.MpsrRestBridge;
import org.hadoopmpsr.catalog.manifest.ManifestPath;
import org.hadoopmpsr.catalog.manifest.Manifests;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lets clients that plan by themselves read manifests as files of HDFS, by the operations of WebHDFS that a reader needs: every client
 * of Hadoop has them. There are no other files here.
 */
final class ManifestServlet extends HttpServlet {
    static final String ROOT = WebHdfsFileSystem.PATH_PREFIX;
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = PrintableLog.of(ManifestServlet.class);

    private final transient Manifests manifests;
    private final transient Callers callers;

    ManifestServlet(Manifests manifests, Callers callers) {
        this.manifests = manifests;
        this.callers = callers;
    }

    /** The URI before the paths of manifests, for the client that sends a request. */
    static String root(HttpServletRequest request) {
        String scheme = request.isSecure() ? WebHdfsConstants.SWEBHDFS_SCHEME : WebHdfsConstants.WEBHDFS_SCHEME;
        return scheme + "://" + request.getServerName() + ":" + request.getServerPort();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, operation -> {
            switch (operation) {
                case "GETFILESTATUS" -> status(bytes(request), response);
                case "OPEN" -> open(bytes(request), request, response);
                case "GETDELEGATIONTOKEN" -> {
                    String renewer = request.getParameter(RenewerParam.NAME);
                    write(
                            response,
                            HttpServletResponse.SC_OK,
                            callers.as(request, caller -> HdfsTokens.make(caller, renewer)));
                }
                default -> throw none(operation, "GETFILESTATUS, OPEN, GETDELEGATIONTOKEN");
            }
        });
    }

    /** Clients renew and end the tokens that they have got here. */
    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HdfsTokens tokens = callers.tokens();
        String token = String.valueOf(request.getParameter(TokenArgumentParam.NAME));
        answer(request, response, operation -> {
            switch (operation) {
                case "RENEWDELEGATIONTOKEN" ->
                    write(response, HttpServletResponse.SC_OK, callers.as(request, caller -> tokens.renew(token)));
                case "CANCELDELEGATIONTOKEN" ->
                    callers.as(request, caller -> {
                        tokens.cancel(token);
                        return caller;
                    });
                default -> throw none(operation, "RENEWDELEGATIONTOKEN, CANCELDELEGATIONTOKEN");
            }
        });
    }

    private interface Operation {
        void run(String name) throws IOException, CatalogException;
    }

    private static void answer(HttpServletRequest request, HttpServletResponse response, Operation work)
            throws IOException {
        try {
            work.run(String.valueOf(request.getParameter("op")).toUpperCase(Locale.ROOT));
        } catch (CatalogException e) {
            error(response, e);
        } catch (FileNotFoundException e) {
            error(response, new CatalogException(404, "", e.getMessage()));
        } catch (IOException e) {
            LOG.warn("{} {} failed", request.getMethod(), request.getRequestURI(), e);
            error(response, Failures.answer(e, Callers.token(request) != null));
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
            error(response, new CatalogException(500, "", "the gateway failed: " + e + "; its log has more"));
        }
    }

    private static CatalogException none(String operation, String all) {
        return CatalogException.wrong("op=" + operation
                + " is no operation of the gateway, which has manifests of Iceberg to read. Of requests such as this one it knows "
                + all);
    }

    private byte[] bytes(HttpServletRequest request) throws IOException, CatalogException {
        String info = String.valueOf(request.getPathInfo());
        ManifestPath path = ManifestPath.parse(info)
                .orElseThrow(() ->
                        new FileNotFoundException(info + " is no manifest of a table; the gateway has no other files"));
        return callers.as(
                request,
                caller -> manifests.bytes(
                        new Manifests.Reader(caller.user(), caller.client(), caller.fs(), root(request)), path));
    }

    private static void status(byte[] bytes, HttpServletResponse response) throws IOException {
        Map<String, Object> status = Map.ofEntries(
                Map.entry("accessTime", 0),
                Map.entry("blockSize", 128 << 20),
                Map.entry("group", ""),
                Map.entry("length", bytes.length),
                Map.entry("modificationTime", 0),
                Map.entry("owner", ""),
                Map.entry("pathSuffix", ""),
                Map.entry("permission", "444"),
                Map.entry("replication", 1),
                Map.entry("type", "FILE"));
        write(response, HttpServletResponse.SC_OK, Map.of("FileStatus", status));
    }

    private static void open(byte[] bytes, HttpServletRequest request, HttpServletResponse response)
            throws IOException, CatalogException {
        int from = number(request.getParameter("offset"), 0, bytes.length, "offset");
        int length = number(request.getParameter("length"), bytes.length - from, Integer.MAX_VALUE, "length");
        int count = Math.min(length, bytes.length - from);
        response.setContentType("application/octet-stream");
        response.setContentLength(count);
        response.getOutputStream().write(bytes, from, count);
    }

    private static int number(@Nullable String text, int missing, int most, String what) throws CatalogException {
        try {
            long number = text == null ? missing : Long.parseLong(text);
            if (number >= 0 && number <= Math.max(most, missing)) {
                return (int) number;
            }
        } catch (NumberFormatException e) {
            LOG.debug("no number", e);
        }
        throw CatalogException.wrong(what + "=" + text + " is not in the file; give a number of bytes up to " + most);
    }

    /** As clients of WebHDFS read it. */
    private static void error(HttpServletResponse response, CatalogException e) throws IOException {
        Class<? extends IOException> type = switch (e.status()) {
            case HttpServletResponse.SC_NOT_FOUND -> FileNotFoundException.class;
            case HttpServletResponse.SC_UNAUTHORIZED, HttpServletResponse.SC_FORBIDDEN -> AccessControlException.class;
            case HttpServletResponse.SC_SERVICE_UNAVAILABLE -> RetriableException.class;
            default -> IOException.class;
        };
        Map<String, String> failure = Map.of(
                "exception", type.getSimpleName(),
                "javaClassName", type.getName(),
                "message", String.valueOf(e.getMessage()));
        write(response, e.status(), Map.of("RemoteException", failure));
    }

    private static void write(HttpServletResponse response, int status, Object answer) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        MpsrRestBridge.mapper().writeValue(response.getOutputStream(), answer);
    }
}

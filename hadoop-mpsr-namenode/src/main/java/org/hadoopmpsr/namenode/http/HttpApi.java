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
package org.hadoopmpsr.namenode.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.concurrent.Semaphore;
import javax.servlet.DispatcherType;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.FilterMapping;
import org.eclipse.jetty.servlet.ServletHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetInfoProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ListDatasetsResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;

/**
 * Answers requests below {@code /mpsr/v1}: datasets, plans and the state, as docs/http.md and {@code openapi.json} have them.
 * Behind the same filters as WebHDFS. A call is over, and its place left, before its answer is written. Thread-safe.
 */
public final class HttpApi extends HttpServlet {
    /** Where the web server has it. */
    public static final String PREFIX = "/mpsr/v1";

    static final String JSON = "application/json;charset=utf-8";

    private static final long serialVersionUID = 1L;
    private static final String DOCUMENT = "/openapi.json";
    private static final String DATASETS = "/datasets";
    /** An answer that breaks off stays broken, or a client would take it for whole. */
    private static final JsonFactory FACTORY = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);

    private static final int BODIES = 4;

    private final transient Semaphore bodies = new Semaphore(BODIES);
    private final transient Callers callers;
    private final transient Calls calls;

    private HttpApi(Callers callers, Calls calls) {
        this.callers = callers;
        this.calls = calls;
    }

    /**
     * Adds the API to the NameNode's running web server.
     *
     * @param service answers calls of the protocol, with their limits and their lines in the audit log
     */
    public static void install(MpsrNamesystem system, BlockingService service) throws IOException {
        ServletHandler handler = system.http().getWebAppContext().getServletHandler();
        ServletHolder api = new ServletHolder(new HttpApi(new Callers(system.conf()), new Calls(system, service)));
        api.setName("mpsr " + PREFIX);
        handler.addServletWithMapping(api, PREFIX + "/*");
        FilterHolder tokens = new FilterHolder(new TokenFilter());
        tokens.setName("mpsr tokens");
        FilterMapping mapping = new FilterMapping();
        mapping.setFilterName(tokens.getName());
        mapping.setPathSpec(PREFIX + "/*");
        mapping.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        handler.addFilter(tokens);
        handler.prependFilterMapping(mapping); // authentication comes later
        try {
            tokens.start();
            tokens.initialize();
        } catch (Exception e) {
            throw new IOException("cannot take delegation tokens of requests to MPSR", e);
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        String allowed = path.equals("/plan") ? "POST" : "GET";
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        if (method.equals("OPTIONS")) { // with which Hadoop's clients negotiate
            response.setHeader("Allow", allowed);
            return;
        }
        try {
            if (!method.equals(allowed)) {
                response.setHeader("Allow", allowed);
                Errors.answer(
                        response,
                        HttpServletResponse.SC_METHOD_NOT_ALLOWED,
                        new UnsupportedOperationException(PREFIX + path + " takes " + allowed + " alone"));
                return;
            }
            answer(path, request, response);
        } catch (IOException | RuntimeException e) {
            Errors.answer(response, e);
        }
    }

    private void answer(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (path.equals("/plan")) {
            plan(request, response);
        } else if (path.equals("/status")) {
            StatusResponseProto status =
                    call(request, StatusResponseProto.class, "status", StatusRequestProto.getDefaultInstance());
            write(response, json -> StatusJson.write(json, status));
        } else if (path.equals(DATASETS)) {
            datasets(request, response);
        } else if (path.startsWith(DATASETS + "/")) {
            DatasetRequestProto asked = DatasetRequestProto.newBuilder()
                    .setPath(path.substring(DATASETS.length()))
                    .build();
            DatasetInfoProto dataset = call(request, DatasetInfoProto.class, "getDataset", asked);
            write(response, json -> DatasetJson.write(json, dataset));
        } else if (path.equals(DOCUMENT)) {
            document(response);
        } else {
            throw new FileNotFoundException("there is no " + PREFIX + path + "; see " + PREFIX + DOCUMENT);
        }
    }

    private void plan(HttpServletRequest request, HttpServletResponse response) throws IOException {
        UserGroupInformation user = callers.user(request);
        PlanBody asked = asked(JsonBody.read(request));
        PlanResponseProto plan = call(request, user, PlanResponseProto.class, "plan", asked.request());
        if (!plan.getDataset()) {
            throw new FileNotFoundException("there is no dataset at "
                    + asked.request().getPath() + "; GET " + PREFIX + DATASETS + " lists those that you may read");
        }
        write(response, json -> PlanJson.write(json, asked, plan));
    }

    /** The request in a body. Bodies wait for each other, for while they are read they take many times their bytes. */
    private PlanBody asked(byte[] body) throws IOException {
        bodies.acquireUninterruptibly();
        try {
            return PlanBody.read(JsonBody.parse(body));
        } finally {
            bodies.release();
        }
    }

    /** A page of the list of all datasets, without those that are not at or below the path. */
    private void datasets(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String given = request.getParameter("path");
        String path = given == null || given.isEmpty() ? "/" : given;
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path '" + path + "' is not absolute; name it from the root");
        }
        String directory = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String after = request.getParameter("after");
        ListDatasetsRequestProto.Builder asked =
                ListDatasetsRequestProto.newBuilder().setPaged(true);
        // no path below the directory comes before the directory's without its last letter
        asked.setAfter(
                after != null ? after : directory.equals("/") ? "" : directory.substring(0, directory.length() - 1));
        ListDatasetsResponseProto page = call(request, ListDatasetsResponseProto.class, "listDatasets", asked.build());
        String next = page.hasNext() && !isBehind(page.getNext(), directory) ? page.getNext() : null;
        write(response, json -> DatasetJson.list(json, DatasetJson.below(page, directory), next));
    }

    /** True if all paths below the directory come before the path. */
    private static boolean isBehind(String path, String directory) {
        return !directory.equals("/") && !path.startsWith(directory + "/") && path.compareTo(directory + "/") > 0;
    }

    private <T extends Message> T call(HttpServletRequest request, Class<T> type, String name, Message asked)
            throws IOException {
        return call(request, callers.user(request), type, name, asked);
    }

    private <T extends Message> T call(
            HttpServletRequest request, UserGroupInformation user, Class<T> type, String name, Message asked)
            throws IOException {
        return calls.answer(type, user, Callers.address(request), JspHelper.getRemotePort(request), name, asked);
    }

    private interface Writer {
        void to(JsonGenerator json) throws IOException;
    }

    private static void write(HttpServletResponse response, Writer writer) throws IOException {
        response.setContentType(JSON);
        try (JsonGenerator json = FACTORY.createGenerator(response.getOutputStream())) {
            writer.to(json);
        }
    }

    private static void document(HttpServletResponse response) throws IOException {
        try (InputStream document = HttpApi.class.getResourceAsStream("openapi.json")) {
            if (document == null) {
                throw new FileNotFoundException("the document of the API is missing in MPSR's jar");
            }
            response.setContentType(JSON);
            document.transferTo(response.getOutputStream());
        }
    }
}

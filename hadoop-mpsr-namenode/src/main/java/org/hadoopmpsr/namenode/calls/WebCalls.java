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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.Locale;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletHandler;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.nodes.Placement;

/**
 * Handles WebHDFS calls that the NameNode carries out itself, and that would bypass {@link ClientCalls}: renames, and
 * changes of the replica count of files in datasets. Called by the web server's threads.
 */
public final class WebCalls implements Filter {
    private static final String PREFIX = "/webhdfs/v1";

    private final MpsrNamesystem system;
    private final Activation activation;
    private final RenameRules renames;
    private final Placement placement;
    private final Verification verification;
    private final ReplicationRule replication;
    private final RightsOfCalls rights;

    private WebCalls(
            MpsrNamesystem system,
            Activation activation,
            RenameRules renames,
            Placement placement,
            Verification verification,
            ReplicationRule replication,
            RightsOfCalls rights) {
        this.system = system;
        this.activation = activation;
        this.renames = renames;
        this.placement = placement;
        this.verification = verification;
        this.replication = replication;
        this.rights = rights;
    }

    /** Installs this filter in the running web server, between the NameNode's authentication and WebHDFS. */
    public static void install(
            MpsrNamesystem system,
            Activation activation,
            RenameRules renames,
            Placement placement,
            Verification verification,
            ReplicationRule replication,
            RightsOfCalls rights)
            throws IOException {
        ServletHandler handler = system.http().getWebAppContext().getServletHandler();
        FilterHolder holder = new FilterHolder(
                new WebCalls(system, activation, renames, placement, verification, replication, rights));
        holder.setName("mpsr");
        holder.setAsyncSupported(true);
        handler.addFilterWithMapping(holder, PREFIX + "/*", EnumSet.of(DispatcherType.REQUEST));
        try {
            holder.start();
            holder.initialize();
        } catch (Exception e) {
            throw new IOException("cannot look at WebHDFS calls", e);
        }
    }

    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            checkAsCaller((HttpServletRequest) request);
        } catch (AccessControlException e) {
            pass(request, response, chain); // HDFS refuses it too, and says so in its own way
            return;
        } catch (IOException e) {
            HttpServletResponse answer = (HttpServletResponse) response;
            answer.setStatus(HttpServletResponse.SC_FORBIDDEN);
            answer.setContentType("application/json");
            // without the server's stack, which is nobody's business
            answer.getOutputStream()
                    .write(JsonUtil.toJsonString(new IOException(e.getMessage()))
                            .getBytes(StandardCharsets.UTF_8));
            return;
        }
        pass(request, response, chain);
    }

    /** Passes the call to WebHDFS, which may answer the caller before it returns. */
    private void pass(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Runnable done = rights((HttpServletRequest) request);
        try {
            if (!changesAFile((HttpServletRequest) request)) {
                chain.doFilter(request, response);
                return;
            }
            try (Verification.Change change = verification.fileChanging()) {
                chain.doFilter(request, response);
            }
        } finally {
            done.run();
        }
    }

    /** What is to be run after the call. */
    private Runnable rights(HttpServletRequest request) {
        String op = op(request);
        String path;
        try {
            path = path(request);
        } catch (IOException e) {
            return () -> {}; // HDFS has its own answer
        }
        if (op.equals("RENAME") || RightsChange.isWebOperation(op)) {
            return rights.changing(path, op.equals("RENAME") ? parameter(request, "destination") : null);
        }
        rights.before(path);
        return () -> {};
    }

    private boolean changesAFile(HttpServletRequest request) throws IOException {
        return FileChange.isWebOperation(op(request))
                && placement.groupOf(path(request)).isPresent();
    }

    private void checkAsCaller(HttpServletRequest request) throws IOException {
        String op = op(request);
        if (!op.equals("RENAME") && !op.equals("SETREPLICATION")) {
            return; // comes back as a remote call, or changes no place
        }
        if (!system.ha().isActive()) {
            return; // WebHDFS itself sends the caller to the active NameNode
        }
        activation.ensure();
        UserGroupInformation caller;
        try {
            caller = JspHelper.getUGI(request.getServletContext(), request, system.conf());
        } catch (IOException e) {
            throw new AccessControlException(e); // WebHDFS fails the same way
        }
        try {
            caller.doAs((PrivilegedExceptionAction<Boolean>) () -> check(op, request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while checking " + op);
        }
    }

    private boolean check(String op, HttpServletRequest request) throws IOException {
        String path = path(request);
        if (op.equals("RENAME")) {
            renames.check(
                    path,
                    parameter(request, "destination"),
                    parameter(request, "renameoptions").isEmpty());
        } else {
            replication.check(path, number(parameter(request, "replication")));
        }
        return true;
    }

    private static String op(HttpServletRequest request) {
        return parameter(request, "op").toUpperCase(Locale.ROOT);
    }

    private String path(HttpServletRequest request) throws IOException {
        String info = request.getPathInfo() == null ? request.getServletPath() : request.getPathInfo();
        return system.resolve(info.startsWith(PREFIX) ? info.substring(PREFIX.length()) : info, 0);
    }

    /** What is no number is HDFS's to refuse; of a dataset it is refused here. */
    private static int number(String text) {
        return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    }

    private static String parameter(HttpServletRequest request, String name) {
        String value = request.getParameter(name);
        return value == null ? "" : value;
    }

    @Override
    public void destroy() {}
}

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
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletHandler;
import org.hadoopmpsr.namenode.guard.PathCall;
import org.hadoopmpsr.namenode.guard.StoreGuard;
import org.hadoopmpsr.namenode.ha.Activation;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.listing.Exchanges;
import org.hadoopmpsr.namenode.listing.WholeWebListings;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Handles WebHDFS calls that the NameNode carries out itself, and that would bypass {@link ClientCalls}: renames,
 * changes of files in datasets and in the store, and reads of replaced files. Called by the web server's threads.
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
    private final StoreGuard guard;
    private final ReplacedFiles replaced;
    private final WholeWebListings listings;

    private WebCalls(
            MpsrNamesystem system,
            Activation activation,
            RenameRules renames,
            Placement placement,
            Verification verification,
            ReplicationRule replication,
            RightsOfCalls rights,
            StoreGuard guard,
            ReplacedFiles replaced,
            WholeWebListings listings) {
        this.system = system;
        this.activation = activation;
        this.renames = renames;
        this.placement = placement;
        this.verification = verification;
        this.replication = replication;
        this.rights = rights;
        this.guard = guard;
        this.replaced = replaced;
        this.listings = listings;
    }

    /** Installs this filter in the running web server, between the NameNode's authentication and WebHDFS. */
    public static void install(
            MpsrNamesystem system,
            Activation activation,
            RenameRules renames,
            Placement placement,
            Verification verification,
            ReplicationRule replication,
            RightsOfCalls rights,
            StoreGuard guard,
            ReplacedFiles replaced,
            Exchanges exchanges)
            throws IOException {
        ServletHandler handler = system.http().getWebAppContext().getServletHandler();
        int pageEntries = system.conf().getInt(DFSConfigKeys.DFS_LIST_LIMIT, DFSConfigKeys.DFS_LIST_LIMIT_DEFAULT);
        FilterHolder holder = new FilterHolder(new WebCalls(
                system,
                activation,
                renames,
                placement,
                verification,
                replication,
                rights,
                guard,
                replaced,
                new WholeWebListings(exchanges, pageEntries)));
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
        HttpServletRequest call = (HttpServletRequest) request;
        PathCall.Use use = PathCall.ofWeb(op(call), named(call), name -> parameter(call, name));
        boolean passes;
        try {
            passes = passes(call, use);
        } catch (IOException e) {
            // without the server's stack, which is nobody's business
            IOException told = e instanceof AccessControlException
                    ? new AccessControlException(e.getMessage())
                    : new IOException(e.getMessage());
            answer((HttpServletResponse) response, HttpServletResponse.SC_FORBIDDEN, JsonUtil.toJsonString(told));
            return;
        }
        if (!passes) {
            answer(
                    (HttpServletResponse) response,
                    HttpServletResponse.SC_OK,
                    JsonUtil.toJsonString("boolean", Boolean.FALSE));
            return;
        }
        HttpServletRequest found = found(call);
        if (!listed(found, (HttpServletResponse) response, chain, use)) {
            pass(found, response, chain, use);
        }
    }

    /** A file that is missing may have been replaced, and then lies elsewhere. */
    private HttpServletRequest found(HttpServletRequest call) throws IOException {
        String path;
        try {
            path = path(call);
        } catch (IOException e) {
            return call; // HDFS has its own answer
        }
        return ReplacedWebRead.of(replaced, call, PREFIX, op(call), path);
    }

    /** Answers a call that lists a large directory of a dataset; returns false for any other call. */
    private boolean listed(
            HttpServletRequest call, HttpServletResponse response, FilterChain chain, PathCall.@Nullable Use use)
            throws IOException, ServletException {
        String path;
        try {
            path = path(call);
        } catch (IOException e) {
            return false; // HDFS has its own answer
        }
        return listings.answer(op(call), path, call, response, (asked, held) -> pass(asked, held, chain, use));
    }

    private static void answer(HttpServletResponse response, int status, String json) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Passes the call to WebHDFS, which may answer the caller before it returns. */
    private void pass(HttpServletRequest call, ServletResponse response, FilterChain chain, PathCall.@Nullable Use use)
            throws IOException, ServletException {
        Runnable done = rights(call, use);
        try {
            if (use == null
                    || !use.changesFile()
                    || placement.groupOf(path(call)).isEmpty()) {
                chain.doFilter(call, response);
            } else {
                try (Verification.Change change = verification.fileChanging()) {
                    chain.doFilter(call, response);
                }
            }
            followed(call, use);
        } finally {
            done.run();
        }
    }

    /** What is to be run after the call. */
    private Runnable rights(HttpServletRequest call, PathCall.@Nullable Use use) {
        String op = op(call);
        String path;
        try {
            path = path(call);
        } catch (IOException e) {
            return () -> {}; // HDFS has its own answer
        }
        if (op.equals("RENAME") || use != null && use.changesRights()) {
            return rights.changing(path, op.equals("RENAME") ? parameter(call, "destination") : null);
        }
        rights.before(path);
        return () -> {};
    }

    /** Reads the records again that the call may have moved. */
    private void followed(HttpServletRequest call, PathCall.@Nullable Use use) throws IOException {
        if (!system.ha().isActive()) {
            return;
        }
        if (op(call).equals("RENAME")) {
            guard.renamed(named(call), parameter(call, "destination"));
        } else if (use != null && guard.touches(use)) {
            guard.readAgain();
        }
    }

    /**
     * Checks a call as its caller.
     *
     * @return false if nothing is to be done, which is no error
     * @throws IOException with the reason if the call is refused
     */
    private boolean passes(HttpServletRequest call, PathCall.@Nullable Use use) throws IOException {
        boolean rename = op(call).equals("RENAME");
        boolean guarded = use != null && (use.call() == PathCall.SET_REPLICATION || guard.concerns(use));
        if (!rename && !guarded) {
            return true; // comes back as a remote call, or changes no place
        }
        if (!system.ha().isActive()) {
            return true; // WebHDFS itself sends the caller to the active NameNode
        }
        activation.ensure();
        UserGroupInformation caller;
        try {
            caller = JspHelper.getUGI(call.getServletContext(), call, system.conf());
        } catch (IOException e) {
            return true; // WebHDFS fails the same way
        }
        try {
            return caller.doAs((PrivilegedExceptionAction<Boolean>) () -> check(call, use));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while checking " + op(call));
        }
    }

    private boolean check(HttpServletRequest call, PathCall.@Nullable Use use) throws IOException {
        if (use != null) {
            guard.check(use);
        }
        String path = path(call);
        try {
            if (use == null) {
                renames.check(
                        path,
                        parameter(call, "destination"),
                        parameter(call, "renameoptions").isEmpty());
                return true;
            }
            return use.call() != PathCall.SET_REPLICATION
                    || replication.passes(path, number(parameter(call, "replication")));
        } catch (AccessControlException e) {
            return true; // HDFS refuses it too, and says so in its own way
        }
    }

    private static String op(HttpServletRequest request) {
        return parameter(request, "op").toUpperCase(Locale.ROOT);
    }

    private String path(HttpServletRequest request) throws IOException {
        return system.resolve(named(request), 0);
    }

    private static String named(HttpServletRequest request) {
        String info = request.getPathInfo() == null ? request.getServletPath() : request.getPathInfo();
        return info.startsWith(PREFIX) ? info.substring(PREFIX.length()) : info;
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

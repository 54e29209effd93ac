package dev.steadfast.problem;

import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveRecorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;
import org.jboss.resteasy.reactive.server.util.RuntimeResourceVisitor;

/** The HTTP methods an address knows: Quarkus answers 405 without the {@code Allow} it owes. */
final class AllowedMethods {
  private AllowedMethods() {}

  static Set<String> at(String path) {
    String absolute = path.startsWith("/") ? path : "/" + path;
    Map<String, ArrayList<RequestMapper.RequestPath<String>>> templates = new HashMap<>();
    RuntimeResourceVisitor.visitRuntimeResources(
        null,
        ResteasyReactiveRecorder.getCurrentDeployment().getClassMappers(),
        new RuntimeResourceVisitor() {
          @Override
          public void visitRuntimeResource(String method, String fullPath, RuntimeResource call) {
            templates
                .computeIfAbsent(method, m -> new ArrayList<>())
                .add(
                    new RequestMapper.RequestPath<>(
                        false, new URITemplate(fullPath, false), method));
          }
        });
    Set<String> allowed = new TreeSet<>();
    templates.forEach(
        (method, paths) -> {
          if (new RequestMapper<>(paths).map(absolute) != null) {
            allowed.add(method);
          }
        });
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    allowed.add("OPTIONS");
    return allowed;
  }
}
